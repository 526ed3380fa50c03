import { Layer } from "effect"
import * as JobQueue from "./JobQueue.ts"
import * as Jobs from "./Jobs.ts"

/** The storage of this area. */
export const layer = Layer.mergeAll(JobQueue.layer, Jobs.layer)
