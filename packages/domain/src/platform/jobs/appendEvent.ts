import { appending } from "../../kernel/index.ts"
import type { JobEvent } from "./Events.ts"

/** Appends an event of this area in the commit of the change that it describes. */
export const appendEvent = appending<JobEvent>()
