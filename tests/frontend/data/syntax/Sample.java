package com.example.shop;

import java.util.List;
import java.util.concurrent.*;
import static org.junit.Assert.assertEquals;

/**
 * A shop.
 */
@Entity
@Table(name = "shop")
public class Shop<T> extends Base implements Seller {
  public static final int LIMIT = 10;
  private final String name;

  static {
    init();
  }

  /** Makes one. */
  public Shop(String name) {
    this.name = name;
  }

  // Opens it.
  @Override
  public synchronized void open(
      int when,
      boolean really)
      throws IOException {
    Runnable r = new Runnable() {
      public void run() {}
    };
  }

  abstract int count();

  enum Colour {
    RED, GREEN;
    int code() { return 1; }
  }

  record Point(int x, int y) {
    Point {
    }
  }
}

interface Seller {
  int MAX = 3;
  boolean sell(int n);
  default void twice() { sell(2); }
}

@interface Marked {
  String value() default "";
}
