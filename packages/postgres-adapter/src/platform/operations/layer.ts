import { Layer } from "effect"
import * as Backlog from "./Backlog.ts"
import * as WorkerDirectory from "./WorkerDirectory.ts"

export const layer = Layer.merge(Backlog.layer, WorkerDirectory.layer)
