import { DateTime, Duration, Effect } from "effect"
import { currentUserActor } from "../../identity/index.ts"
import { Ids, transact, useCase, Vault } from "../../../kernel/index.ts"
import { DocsCodes } from "../DocsCodes.ts"

const codeLife = Duration.seconds(60)

/** Makes a one-time code that takes the signed-in user to the documentation site. */
export const handOffToDocs = useCase(
  "docsHandoff.handOff",
  { access: { permission: "docs.handoff" } },
  Effect.fnUntraced(function* () {
    const codes = yield* DocsCodes
    const actor = yield* currentUserActor
    const code = yield* (yield* Ids).secret(32)
    const expiresAt = DateTime.addDuration(yield* DateTime.now, codeLife)
    yield* codes.insert(yield* (yield* Vault).digest(code), actor, expiresAt)
    return { code, expiresAt }
  }, transact)
)
