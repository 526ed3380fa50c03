import {
  changeMemberRole,
  getAvailability,
  getEntitlements,
  getOrganization,
  inviteMember,
  listMembers,
  removeMember,
  setAvailability,
  updateOrganization
} from "@parley/domain"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { expectedVersion, pageOf } from "../../api/shapes.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"

export const layerOrganization = HttpApiBuilder.group(Api, "organization", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    get: () => getOrganization(),
    update: ({ headers, payload }) => updateOrganization({ ...payload, ifVersion: expectedVersion(headers) }),
    entitlements: () => getEntitlements()
  })
)

export const layerMembers = HttpApiBuilder.group(Api, "members", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ query }) => listMembers({ page: pageOf(query) }),
    invite: ({ payload }) => inviteMember(payload),
    changeRole: ({ headers, params, payload }) =>
      changeMemberRole({ ...params, ...payload, ifVersion: expectedVersion(headers) }),
    remove: ({ headers, params }) => removeMember({ ...params, ifVersion: expectedVersion(headers) }),
    availability: ({ params }) => getAvailability(params),
    setAvailability: ({ params, payload }) => setAvailability({ ...params, ...payload })
  })
)
