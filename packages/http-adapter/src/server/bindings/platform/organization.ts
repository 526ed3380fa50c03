import { getEntitlements, getOrganization, Organization, updateOrganization } from "@parley/domain/platform"
import { OrganizationApi } from "../../../api/organization.ts"
import { entitlements, organization as bakery } from "../../examples/samples.ts"
import { bind } from "../bind.ts"

const timezone = "Europe/Lisbon"

export const organization = bind(OrganizationApi, {
  get: { runs: getOrganization, response: bakery },
  update: {
    runs: updateOrganization,
    request: { timezone },
    response: new Organization({ ...bakery, timezone, version: bakery.version + 1 })
  },
  entitlements: { runs: getEntitlements, response: entitlements }
})
