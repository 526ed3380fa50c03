import { getEntitlements, getOrganization, updateOrganization } from "@parley/domain"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { expectedVersion } from "../../api/shapes.ts"
import { answering } from "../answers/answering.ts"

/** The current organization. */
export const layer = HttpApiBuilder.group(Api, "organization", (handlers) =>
  answering(handlers).handleAll({
    get: () => getOrganization(),
    update: ({ headers, payload }) => updateOrganization(payload, expectedVersion(headers)),
    entitlements: () => getEntitlements()
  })
)
