import { DateTime, Effect, Equal } from "effect"
import {
  CurrentOrganization,
  Locks,
  nextId,
  OrganizationId,
  type PlanName,
  requireVersion,
  transact,
  useCase
} from "../../../kernel/index.ts"
import { recordAudit } from "../../audit/index.ts"
import {
  type NewOrganization,
  Organization,
  OrganizationDirectory,
  type OrganizationPatch,
  Organizations,
  type OrganizationStatus
} from "../Organization.ts"
import { appendEvent } from "../events.ts"

export const createOrganization = useCase(
  {
    name: "identity.createOrganization",
    access: "operator",
    audit: "organization.created",
    emits: ["organization.created"]
  },
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
      yield* recordAudit(
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

export const getOrganization = useCase(
  { name: "identity.getOrganization", access: { permission: "organization.read" } },
  Effect.fnUntraced(function* () {
    return yield* (yield* Organizations).current()
  })
)

const auditFields = ({ currency, locale, name, timezone }: Organization) => ({ currency, locale, name, timezone })

export const updateOrganization = useCase(
  {
    name: "identity.updateOrganization",
    access: { permission: "organization.manage" },
    audit: "organization.updated",
    emits: ["organization.updated"]
  },
  Effect.fnUntraced(function* ({ ifVersion, ...patch }: { readonly ifVersion: number | null } & OrganizationPatch) {
    const organizations = yield* Organizations
    yield* (yield* Locks).exclusive("organization")
    const before = yield* organizations.current()
    const changed = new Organization({ ...before, ...patch })
    yield* requireVersion(before, ifVersion)
    if (Equal.equals(auditFields(before), auditFields(changed))) return before
    const after = yield* organizations.save(changed, ifVersion)
    yield* recordAudit(
      "organization.updated",
      { kind: "organization", id: after.id },
      {
        before: auditFields(before),
        after: auditFields(after)
      }
    )
    yield* appendEvent({ type: "organization.updated", organizationId: after.id })
    return after
  }, transact)
)

/** Changes the plan of the current organization. */
export const setOrganizationPlan = useCase(
  {
    name: "identity.setOrganizationPlan",
    access: "operator",
    audit: "organization.plan_changed",
    emits: ["organization.plan_changed"]
  },
  Effect.fnUntraced(function* ({ plan }: { readonly plan: PlanName }) {
    const organizations = yield* Organizations
    yield* (yield* Locks).exclusive("organization")
    const before = yield* organizations.current()
    if (before.plan === plan) return before
    const after = yield* organizations.save(new Organization({ ...before, plan }), null)
    yield* recordAudit(
      "organization.plan_changed",
      { kind: "organization", id: after.id },
      {
        before: { plan: before.plan },
        after: { plan }
      }
    )
    yield* appendEvent({
      type: "organization.plan_changed",
      organizationId: after.id,
      from: before.plan,
      to: plan
    })
    return after
  }, transact)
)

/** Suspends or reactivates the current organization. */
export const setOrganizationStatus = useCase(
  {
    name: "identity.setOrganizationStatus",
    access: "operator",
    audit: "organization.status_changed",
    emits: ["organization.status_changed"]
  },
  Effect.fnUntraced(function* ({ status }: { readonly status: OrganizationStatus }) {
    const organizations = yield* Organizations
    yield* (yield* Locks).exclusive("organization")
    const before = yield* organizations.current()
    if (before.status === status) return before
    const after = yield* organizations.save(new Organization({ ...before, status }), null)
    yield* recordAudit(
      "organization.status_changed",
      { kind: "organization", id: after.id },
      {
        before: { status: before.status },
        after: { status }
      }
    )
    yield* appendEvent({
      type: "organization.status_changed",
      organizationId: after.id,
      from: before.status,
      to: status
    })
    return after
  }, transact)
)
