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
  /** Permissions of its use cases. The table of roles is in `kernel/Permission.ts`. */
  readonly permissions?: ReadonlyArray<Permission>
  /** Plan features that it implements. The table of plans is in `entitlements/Plan.ts`. */
  readonly features?: ReadonlyArray<Feature>
  /** Background tasks. */
  readonly works?: ReadonlyArray<unknown>
  /** Job kinds. */
  readonly jobs?: ReadonlyArray<unknown>
  /** Event consumers. */
  readonly reactions?: ReadonlyArray<unknown>
  /** Responsibilities that it assigns to members. */
  readonly assignments?: ReadonlyArray<unknown>
  /** Conditions that delay automatic assignment of conversations. */
  readonly assignmentHolds?: ReadonlyArray<unknown>
  /** Sources of inbound deliveries. */
  readonly deliverySources?: ReadonlyArray<unknown>
  /** Senders over chat accounts in addition to messages of conversations. */
  readonly accountSenders?: ReadonlyArray<unknown>
  /** Contact fields for filters. */
  readonly contactFilterFields?: ReadonlyArray<unknown>
  /** Messages outside of conversations, for receipts. */
  readonly outsideMessages?: ReadonlyArray<unknown>
  /** Contact data owners. */
  readonly contactHoldings?: ReadonlyArray<unknown>
  /** Hooks for the order lifecycle. */
  readonly orderHoldings?: ReadonlyArray<unknown>
  /** Counters of plan limits. */
  readonly limitUses?: ReadonlyArray<unknown>
  /** Resource readers of its events, for receivers of the events. */
  readonly eventResources?: ReadonlyArray<unknown>
  /** Resources that call webhook subscriptions. */
  readonly subscriptionUses?: ReadonlyArray<unknown>
  /** Resources that call plugins. */
  readonly pluginUses?: ReadonlyArray<unknown>
  /** Kinds of actors that request jobs. */
  readonly requesters?: ReadonlyArray<unknown>
  /** Resources that reference schedules. */
  readonly scheduleUses?: ReadonlyArray<unknown>
  /** Listeners to the results of its plugin calls. */
  readonly pluginCallEnds?: ReadonlyArray<unknown>
  /** Credentials that the area issues, each with its parent. */
  readonly credentials?: ReadonlyArray<unknown>
  /** Values that the area stores sealed, each with its place. */
  readonly sealedValues?: ReadonlyArray<unknown>
  /** Workflow starters. */
  readonly workflowStarts?: ReadonlyArray<unknown>
}

const emptyManifest = {
  storage: [],
  events: { members: [], visibleWith: {} },
  permissions: [],
  features: [],
  works: [],
  jobs: [],
  reactions: [],
  assignments: [],
  assignmentHolds: [],
  deliverySources: [],
  accountSenders: [],
  outsideMessages: [],
  contactFilterFields: [],
  contactHoldings: [],
  orderHoldings: [],
  limitUses: [],
  eventResources: [],
  subscriptionUses: [],
  pluginUses: [],
  requesters: [],
  scheduleUses: [],
  pluginCallEnds: [],
  credentials: [],
  sealedValues: [],
  workflowStarts: []
} as const

/** Declares an area. Missing parts are empty. */
export const defineArea = <const Said extends Manifest>(said: Said): Omit<typeof emptyManifest, keyof Said> & Said => ({
  ...emptyManifest,
  ...said
})

/** Declares the permission to see each of an area's events. */
export const defineEvents = <const Member extends Schema.Codec<EventShape, unknown>>(
  { members }: { readonly members: ReadonlyArray<Member> },
  visibleWith: Readonly<Record<Member["Type"]["type"], Permission>>
): AreaEvents<Member> => ({ members, visibleWith })
