import { getEntitlements, getOrganization, updateOrganization } from "@parley/domain"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { expectedVersion } from "../../api/shapes.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"

/** The current organization. */
export const layer = HttpApiBuilder.group(Api, "organization", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    get: () => getOrganization(),
    update: ({ headers, payload }) => updateOrganization(payload, expectedVersion(headers)),
    entitlements: () => getEntitlements()
  })
)
