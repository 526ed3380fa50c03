import { getWorkerStatus } from "@parley/domain/composition"
import { reads, type Prepare } from "../../attempting.ts"

/** A valid attempt at every use case of this area. */
export const attempts: Readonly<Record<string, Prepare>> = {
  "operations.showWorkers": reads(() => getWorkerStatus())
}
