import { Effect } from "effect"
import { changePassword, listMyOrganizations, logout, updateMe } from "@parley/domain/platform"
import { AccountApi } from "../../../api/auth.ts"
import { addressOf } from "../../clientAddress.ts"
import { ada, organization, owner, newPassword, password } from "../../examples/samples.ts"
import { bindWith } from "../bind.ts"

export const account = bindWith(
  AccountApi,
  {
    logout: { runs: logout },
    update: { runs: updateMe, request: { name: ada.name }, response: ada },
    organizations: {
      uses: listMyOrganizations,
      response: {
        data: [
          {
            id: organization.id,
            slug: organization.slug,
            name: organization.name,
            role: owner.role,
            plan: organization.plan,
            status: organization.status
          }
        ]
      }
    },
    changePassword: { uses: changePassword, request: { currentPassword: password, newPassword } }
  },
  (handlers) =>
    handlers.handleAll({
      organizations: () =>
        Effect.map(listMyOrganizations(), (affiliations) => ({
          data: affiliations.map(({ organization: { id, name, plan, slug, status }, role }) => ({
            id,
            slug,
            name,
            role,
            plan,
            status
          }))
        })),
      changePassword: ({ payload }) => Effect.flatMap(addressOf, (address) => changePassword({ ...payload, address }))
    })
)
