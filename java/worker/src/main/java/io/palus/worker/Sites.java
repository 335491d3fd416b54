package io.palus.worker;

import io.palus.wire.ByteReader;
import io.palus.wire.WireException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Where subject classes call an API, as the engine found it. */
final class Sites {
  private final List<String> api = new ArrayList<>();
  private final Map<String, Map<Integer, Integer>> byClass = new HashMap<>();

  static Sites read(ByteReader request) throws WireException {
    Sites sites = new Sites();
    sites.api.addAll(Session.strings(request));
    for (int classes = request.count(); classes > 0; classes--) {
      String name = request.string();
      Map<Integer, Integer> ofClass = new HashMap<>();
      for (int left = request.count(); left > 0; left--) {
        int place = request.number();
        ofClass.put(place, request.number());
      }
      sites.byClass.put(name, ofClass);
    }
    return sites;
  }

  /** Internal names of its classes. */
  List<String> api() {
    return api;
  }

  /** By place among all calls in a class's code, the number of the site; null where it has none. */
  Map<Integer, Integer> of(String internalName) {
    return byClass.get(internalName);
  }
}
