import { exchangeDocsCode, getDocsSession, handOffToDocs } from "@parley/domain/platform"
import { givenDocsReader } from "@parley/testkit"
import { Effect } from "effect"
import { asOwner, attempt, type Prepare, reads } from "../../attempting.ts"

/** A valid attempt at every use case of this area. */
export const attempts: Readonly<Record<string, Prepare>> = {
  "docsHandoff.exchange": (world) =>
    Effect.map(asOwner(world, handOffToDocs()), ({ code }) => attempt(exchangeDocsCode({ code }), () => null, code)),
  "docsHandoff.getSession": (world) =>
    Effect.map(givenDocsReader(world.organization, world.owner), (reader) => attempt(getDocsSession(reader))),
  "docsHandoff.handOff": reads(() => handOffToDocs())
}
