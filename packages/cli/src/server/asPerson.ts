import { ParleyClient } from "@parley/http-adapter/client"
import type { Settings } from "@parley/service/configuration"
import { Effect, Option } from "effect"
import type { Failure } from "../console/Failure.ts"
import type { KnownOrganization } from "../profiles/Profile.ts"
import { targetOf } from "../target.ts"
import { accountAt, demoAccount } from "./account.ts"
import { requireNobodyIn } from "./address.ts"
import { askerOf, connect } from "./connect.ts"
import { explained } from "./explained.ts"
import { loginAt } from "./loginAt.ts"
import { meantOf } from "./organizations.ts"

/** Who asks a service, and in which organization. */
export interface Person {
  readonly email: Option.Option<string>
  readonly org: Option.Option<string>
  readonly insecure: boolean
}

/**
 * Asks a service as a person: with a login of this machine, or with one for this command alone where `--email` says who, or
 * where it is the service that `npm start` runs.
 */
export const asPerson = Effect.fnUntraced(function* <A, E extends Failure, R>(
  settings: Settings,
  { email, insecure, org }: Person,
  ask: (client: ParleyClient.Client, organization: KnownOrganization) => Effect.Effect<A, E, R>
) {
  const { server } = settings
  if (server.value !== null) yield* requireNobodyIn(server.value)
  const target = Option.isSome(email) && server.value !== null ? null : yield* targetOf(settings)
  if (target?.kind === "server" && Option.isNone(email)) {
    const asker = askerOf(target)
    const client = yield* connect(settings, target)
    const organization = yield* meantOf(target.profile.organizations, org, asker.logIn)
    return yield* ask(client, organization).pipe(
      ParleyClient.inOrganization(organization.id),
      Effect.mapError(explained(asker))
    )
  }
  const address = server.value ?? (target?.kind === "server" ? target.profile.server : null)
  const isInsecure = insecure || (target?.kind === "server" && target.profile.insecure)
  const account =
    address === null ? yield* demoAccount(settings, email) : yield* accountAt(address, email, { insecure: isInsecure })
  const logIn = `parley login --server ${account.address}`
  const asker = { address: account.address, logIn }
  const { client, organizations } = yield* loginAt(account, null, asker)
  return yield* Effect.gen(function* () {
    const organization = yield* meantOf(organizations, org, logIn)
    return yield* ask(client, organization).pipe(
      ParleyClient.inOrganization(organization.id),
      Effect.mapError(explained(asker))
    )
  }).pipe(Effect.ensuring(Effect.ignore(client.account.logout())))
})
