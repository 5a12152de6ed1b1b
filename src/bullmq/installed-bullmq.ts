// BullMQ 5 lacks some names. A named import would fail with an error that names no version.
import * as bullmq from "bullmq";
import { requireTool } from "../client/internal/require-tool.ts";

const tool = { name: "bullmq", lowest: "6", install: "npm install bullmq" };

requireTool("adgen-sdk/bullmq", tool, "getBackend" in bullmq.Queue.prototype);

export const { DelayedError, UnrecoverableError } = bullmq;
