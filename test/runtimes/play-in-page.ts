// Entry for Chromium: the test calls this function in the page.
import { play } from "./play.ts";

Object.assign(globalThis, { play });
