import type { WorkName } from "../../../platform/background/index.ts"
import { contactLanes } from "./contactLanes.ts"

/** What performing runs is called among the works. */
export const runsWork: WorkName = "automation runs"

/** Has somebody go on with runs that wait. */
export const { open: openRunLanes, openAll: openAllRunLanes } = contactLanes(runsWork)
