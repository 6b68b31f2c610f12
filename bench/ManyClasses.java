// SPDX-License-Identifier: Apache-2.0
// Loads args[0] classes, each under its own name, then creates the file args[1] and sleeps.
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

public class ManyClasses {
  static final String NUMBER = "00000000";

  public static void main(String[] args) throws Exception {
    int count = Integer.parseInt(args[0]);
    Maker maker = new Maker();
    for (int i = 1; i <= count; i++) maker.make(i);
    Files.createFile(Path.of(args[1]));
    Thread.sleep(600_000);
  }

  // The template's class file with other digits in its name.
  static final class Maker extends ClassLoader {
    private final byte[] template;
    private final int at;

    Maker() throws Exception {
      try (InputStream in = ManyClasses.class.getResourceAsStream("Many" + NUMBER + ".class")) {
        template = in.readAllBytes();
      }
      at = new String(template, StandardCharsets.ISO_8859_1).indexOf("Many" + NUMBER) + 4;
    }

    void make(int number) throws Exception {
      byte[] digits = String.format("%08d", number).getBytes(StandardCharsets.ISO_8859_1);
      System.arraycopy(digits, 0, template, at, digits.length);
      Class.forName(defineClass(null, template, 0, template.length).getName(), true, this);
    }
  }
}

class Many00000000 {
  int value;

  int get() { return value; }

  void set(int to) { value = to; }

  int twice() { return get() * 2; }
}
