import { DateTime, Effect } from "effect"
import { record } from "../../audit/index.ts"
import { CurrentOrganization, nextId, OrganizationId, transact, useCase } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { type NewOrganization, Organization } from "../Organization.ts"
import { OrganizationDirectory } from "../Organizations.ts"

/** Creates a tenant. */
export const createOrganization = useCase(
  "identity.createOrganization",
  { access: "operator" },
  Effect.fnUntraced(function* (input: NewOrganization) {
    const organization = new Organization({
      ...input,
      id: yield* nextId(OrganizationId),
      status: "active",
      createdAt: yield* DateTime.now,
      version: 1
    })
    yield* (yield* OrganizationDirectory).insert(organization)
    yield* Effect.gen(function* () {
      yield* record(
        "organization.created",
        { kind: "organization", id: organization.id },
        {
          after: { name: organization.name, slug: organization.slug, plan: organization.plan }
        }
      )
      yield* appendEvent({ type: "organization.created", organizationId: organization.id })
    }).pipe(Effect.provideService(CurrentOrganization, { id: organization.id }))
    return organization
  }, transact)
)
