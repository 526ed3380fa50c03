import { Effect } from "effect"
import { record } from "../../audit/index.ts"
import { CurrentOrganization, transact, useCase } from "../../../kernel/index.ts"
import { TokenSigner } from "../TokenSigner.ts"
import { platform } from "../userAudit.ts"

/** Signs tokens with a new key from now on. Nobody is logged out. */
export const rotateSigningKey = useCase(
  "identity.rotateSigningKey",
  { access: "operator" },
  Effect.fnUntraced(function* () {
    const key = yield* (yield* TokenSigner).rotate
    yield* record("signing_key.rotated", { kind: "signing_key", id: key.kid }).pipe(
      Effect.provideService(CurrentOrganization, { id: platform })
    )
    return key
  }, transact)
)
