package land;

import java.io.Serializable;

/** States no serialVersionUID: what is added to the class could change it. */
public class Parcel implements Serializable {
  String label;
  private int weight;
  private Parcel inner;

  public Parcel() {}

  public Parcel(String label, int weight, Parcel inner) {
    this.label = label;
    this.weight = weight;
    this.inner = inner;
  }

  public String getLabel() {
    return label;
  }

  public void setLabel(String label) {
    this.label = label;
  }

  public int getWeight() {
    return weight;
  }

  public void setWeight(int weight) {
    this.weight = weight;
  }

  public Parcel getInner() {
    return inner;
  }

  public void setInner(Parcel inner) {
    this.inner = inner;
  }

  public int total() {
    return inner == null ? weight : weight + inner.total();
  }
}
