import { listAuditEvents } from "@parley/domain/platform"
import { firstPage, reads, type Prepare } from "../../attempting.ts"

const filter = { actorId: null, targetKind: null, targetId: null, action: null, from: null, to: null }

/** A valid attempt at every use case of this area. */
export const attempts: Readonly<Record<string, Prepare>> = {
  "audit.list": reads(() => listAuditEvents({ ...filter, page: firstPage }))
}
