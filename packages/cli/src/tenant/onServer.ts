import { OrganizationId } from "@parley/domain/kernel"
import { ParleyClient } from "@parley/http-adapter/client"
import type { Settings } from "@parley/service/configuration"
import { Effect, Option } from "effect"
import { type Failure, Refused } from "../console/Failure.ts"
import { callerOf, type NamedProfile } from "../profiles/ProfileFolder.ts"
import { askerOf, connect, meantOf, requireMember, typedName } from "../server/connect.ts"
import { explained } from "../server/http.ts"
import type { Tenant } from "./Tenant.ts"

const actsAs = (client: ParleyClient.Client, { profile }: NamedProfile, logIn: string) =>
  Effect.fnUntraced(function* (member: Option.Option<string>) {
    if (Option.isNone(member) || member.value.toLowerCase() === profile.email) return client
    const me = profile.email === null ? null : yield* client.identity.me()
    if (member.value === me?.user.id) return client
    return yield* new Refused({
      message: `You are logged in as ${profile.email ?? `an ${callerOf(profile)}`}. Over HTTP you cannot act as another user. Leave out --as, or log in as ${member.value}: ${logIn}`
    })
  })

/** Runs a command in an organization of a service, with the permissions of a login. */
export const onServer = Effect.fnUntraced(function* <A, E extends Failure, R>(
  settings: Settings,
  target: NamedProfile,
  named: Option.Option<string>,
  command: (tenant: Tenant) => Effect.Effect<A, E, R>
) {
  yield* requireMember(target)
  const asker = askerOf(target)
  const client = yield* connect(settings, target)
  const organization = yield* meantOf(target.profile.organizations, named, asker.logIn)
  const tenant: Tenant = {
    ...client,
    name: typedName(organization),
    id: OrganizationId.make(organization.id),
    as: actsAs(client, target, asker.logIn),
    requireNoHold: Effect.void,
    working: Effect.never
  }
  return yield* command(tenant).pipe(ParleyClient.inOrganization(organization.id), Effect.mapError(explained(asker)))
})
