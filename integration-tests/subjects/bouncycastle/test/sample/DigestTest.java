package sample;

import static org.junit.Assert.assertEquals;

import java.math.BigInteger;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.util.encoders.Hex;
import org.junit.Test;

/** A digest, and a sequence there and back. */
public class DigestTest {
  @Test
  public void aDigestIsThatOfTheStandard() {
    SHA256Digest digest = new SHA256Digest();
    byte[] message = {'a', 'b', 'c'};
    digest.update(message, 0, message.length);
    byte[] result = new byte[digest.getDigestSize()];
    digest.doFinal(result, 0);
    assertEquals(
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        Hex.toHexString(result));
  }

  @Test
  public void aSequenceIsReadAsItWasWritten() throws Exception {
    ASN1EncodableVector vector = new ASN1EncodableVector();
    vector.add(new ASN1Integer(BigInteger.valueOf(7)));
    vector.add(new DERUTF8String("seven"));
    byte[] encoded = new DERSequence(vector).getEncoded();
    ASN1Sequence sequence = ASN1Sequence.getInstance(encoded);
    assertEquals(2, sequence.size());
    assertEquals(7, ASN1Integer.getInstance(sequence.getObjectAt(0)).intValueExact());
  }
}
