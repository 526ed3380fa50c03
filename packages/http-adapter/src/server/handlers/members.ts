import { changeMemberRole, inviteMember, listMembers, removeMember } from "@parley/domain"
import { Effect, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { expectedVersion, pageOf } from "../../api/shapes.ts"
import { answering } from "../answers/answering.ts"
import { ServerConfig } from "../ServerConfig.ts"

/** The people of the organization. */
export const layer = HttpApiBuilder.group(
  Api,
  "members",
  Effect.fnUntraced(function* (handlers) {
    const { baseUrl } = yield* ServerConfig
    const linkOf = (token: Redacted.Redacted) => `${baseUrl}/invitations/accept#token=${Redacted.value(token)}`
    return answering(handlers).handleAll({
      list: ({ query }) => listMembers(pageOf(query)),
      invite: ({ payload }) =>
        Effect.map(inviteMember(payload), ({ invitation, member }) => ({
          member,
          invitation: { ...invitation, url: linkOf(invitation.token) }
        })),
      changeRole: ({ headers, params, payload }) => changeMemberRole(params.id, payload.role, expectedVersion(headers)),
      remove: ({ headers, params }) => removeMember(params.id, expectedVersion(headers))
    })
  })
)
