import { ParleyClient } from "@parley/http-adapter/client"
import type { Settings } from "@parley/service/configuration"
import { Effect, Option, Redacted } from "effect"
import { type NamedProfile, profileFolder } from "../profiles/ProfileFolder.ts"
import { askerOf, connect } from "./connect.ts"
import { explained } from "./http.ts"
import { isOperatorToken } from "./operatorLogin.ts"

/** Returns a valid access token of a login. A call renews an expired one and stores it. */
export const accessTokenOf = Effect.fnUntraced(function* (settings: Settings, named: NamedProfile) {
  const { name, profile } = named
  const client = yield* connect(settings, named)
  const known = profile.tokens?.accessToken ?? Redacted.make("")
  // The operators' API has no call that every operator token can make.
  if (isOperatorToken(known)) return known
  const [organization] = profile.organizations
  const identity = client.identity.me()
  yield* (organization === undefined ? identity : ParleyClient.inOrganization(organization.id)(identity)).pipe(
    // The token is valid, and the organization refuses it.
    Effect.catchTags({
      OrganizationForbidden: () => Effect.void,
      OrganizationHeaderMissing: () => Effect.void,
      OrganizationSuspended: () => Effect.void,
      PermissionDenied: () => Effect.void
    }),
    Effect.mapError(explained(askerOf(named)))
  )
  const stored = yield* (yield* profileFolder(settings)).find(name)
  return Option.match(stored, { onNone: () => known, onSome: (each) => each.profile.tokens?.accessToken ?? known })
})
