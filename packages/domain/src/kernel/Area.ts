import type { Schema } from "effect"
import type { EventShape } from "./Outbox.ts"
import type { Permission } from "./Permission.ts"
import type { Feature } from "./access.ts"

/** Events of an area: their schemas, and the permission to see each type. */
export interface AreaEvents<Member extends Schema.Codec<EventShape, unknown>> {
  readonly members: ReadonlyArray<Member>
  readonly visibleWith: Readonly<Record<Member["Type"]["type"], Permission>>
}

/**
 * Manifest of an area. The composition combines the manifests of all areas. The consumer of a part defines its type, because most consumers are in
 * areas above the kernel.
 */
interface Manifest {
  readonly name: string
  /** Ports that a storage adapter implements. */
  readonly storage?: ReadonlyArray<unknown>
  readonly events?: {
    readonly members: ReadonlyArray<Schema.Top>
    readonly visibleWith: Readonly<Record<string, Permission>>
  }
  /** Permissions of its use cases. The table of roles is in `platform/identity/memberRoles.ts`. */
  readonly permissions?: ReadonlyArray<Permission>
  /** Plan features that it implements. The table of plans is in `platform/entitlements/Plan.ts`. */
  readonly features?: ReadonlyArray<Feature>
  /** Background tasks. */
  readonly backgroundTasks?: ReadonlyArray<unknown>
  /** Job kinds. */
  readonly jobs?: ReadonlyArray<unknown>
  /** Event consumers. */
  readonly eventConsumers?: ReadonlyArray<unknown>
  /** Sources of inbound deliveries. */
  readonly deliverySources?: ReadonlyArray<unknown>
  /** Contact fields for filters. */
  readonly contactFilterFields?: ReadonlyArray<unknown>
  /** Contact data owners. */
  readonly contactDataOwners?: ReadonlyArray<unknown>
  /** Counters of plan limits. */
  readonly limitUses?: ReadonlyArray<unknown>
  /** Resource readers of its events, for receivers of the events. */
  readonly eventResources?: ReadonlyArray<unknown>
  /** Resources that cannot work without a resource of a lower area. */
  readonly dependents?: ReadonlyArray<unknown>
  /** Kinds of actors that request jobs. */
  readonly requesters?: ReadonlyArray<unknown>
  /** Listeners to the results of its plugin calls. */
  readonly actionCallEnds?: ReadonlyArray<unknown>
  /** Credentials that the area issues, each with its parent. */
  readonly credentials?: ReadonlyArray<unknown>
  /** Values that the area stores sealed, each with its place. */
  readonly sealedValues?: ReadonlyArray<unknown>
}

const emptyManifest = {
  storage: [],
  events: { members: [], visibleWith: {} },
  permissions: [],
  features: [],
  backgroundTasks: [],
  jobs: [],
  eventConsumers: [],
  deliverySources: [],
  contactFilterFields: [],
  contactDataOwners: [],
  limitUses: [],
  eventResources: [],
  dependents: [],
  requesters: [],
  actionCallEnds: [],
  credentials: [],
  sealedValues: []
} as const

/** Declares an area. Missing parts are empty. */
export const defineArea = <const Said extends Manifest>(
  manifest: Said
): Omit<typeof emptyManifest, keyof Said> & Said => ({
  ...emptyManifest,
  ...manifest
})

/** Declares the permission to see each of an area's events. */
export const defineEvents = <const Member extends Schema.Codec<EventShape, unknown>>(
  { members }: { readonly members: ReadonlyArray<Member> },
  visibleWith: Readonly<Record<Member["Type"]["type"], Permission>>
): AreaEvents<Member> => ({ members, visibleWith })
