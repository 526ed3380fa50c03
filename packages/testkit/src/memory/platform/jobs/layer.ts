import { Layer } from "effect"
import * as JobQueue from "./JobQueue.ts"
import * as Jobs from "./Jobs.ts"

export const layer = Layer.mergeAll(JobQueue.layer, Jobs.layer)
