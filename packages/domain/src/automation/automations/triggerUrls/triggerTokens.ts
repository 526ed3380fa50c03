import { Effect, Option, Redacted, Schema } from "effect"
import { CurrentOrganization, Ids, OrganizationId } from "../../../kernel/index.ts"

const secretBytes = 32

const tokenPattern = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})\.[\w-]{43}$/u

const readOrganizationId = Schema.decodeUnknownOption(OrganizationId)

/** Creates a token. It names the organization, so a call finds its automation without a search over all organizations. */
export const newTriggerToken = Effect.gen(function* () {
  const { id } = yield* CurrentOrganization
  const secret = yield* (yield* Ids).secret(secretBytes)
  return Redacted.make(`${id.replaceAll("-", "")}.${Redacted.value(secret)}`)
})

/** Organization that a token names; `null` if it is not a token. Only a comparison with the stored digest shows whether the token is valid. */
export const organizationOfToken = (token: Redacted.Redacted): OrganizationId | null => {
  const parts = tokenPattern.exec(Redacted.value(token))?.slice(1)
  return parts === undefined ? null : Option.getOrNull(readOrganizationId(parts.join("-")))
}
