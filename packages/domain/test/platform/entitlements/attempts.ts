import { getEntitlements } from "@parley/domain/platform"
import { reads, type Prepare } from "../../attempting.ts"

/** A valid attempt at every use case of this area. */
export const attempts: Readonly<Record<string, Prepare>> = {
  "entitlements.get": reads(() => getEntitlements())
}
