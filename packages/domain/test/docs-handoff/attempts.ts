import { exchangeDocsCode, getDocsSession, handOffToDocs } from "@parley/domain"
import { Effect } from "effect"
import { asOwner, attempt, reads, type Prepare } from "../attempting.ts"

/** A valid attempt at every use case of this area. */
export const attempts: Readonly<Record<string, Prepare>> = {
  "docsHandoff.exchange": (world) =>
    Effect.map(asOwner(world, handOffToDocs()), ({ code }) => attempt(exchangeDocsCode(code), () => null, code)),
  "docsHandoff.getSession": reads(({ organization, owner }) =>
    getDocsSession({ organizationId: organization.id, userId: owner.user.id })
  ),
  "docsHandoff.handOff": reads(() => handOffToDocs())
}
