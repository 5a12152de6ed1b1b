// A file of its own: the fixtures have an MSW server, and so has the other example.
import "../../examples/test-with-fixtures.test.ts";
