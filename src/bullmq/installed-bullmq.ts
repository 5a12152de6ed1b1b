// Not by their names: BullMQ 5 lacks some, and loading would fail without a word of the version.
import * as bullmq from "bullmq";
import { requireTool } from "../client/internal/require-tool.ts";

const tool = { name: "bullmq", lowest: "6", install: "npm install bullmq" };

requireTool("adgen-sdk/bullmq", tool, "getBackend" in bullmq.Queue.prototype);

export const { DelayedError, UnrecoverableError } = bullmq;
