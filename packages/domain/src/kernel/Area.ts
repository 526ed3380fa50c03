import type { Schema } from "effect"
import type { EventShape } from "./Outbox.ts"
import type { Permission } from "./Permission.ts"
import type { Feature } from "./access.ts"

/** The events of an area: what each type carries, and which permission somebody needs to see it. */
export interface AreaEvents<Member extends Schema.Codec<EventShape, unknown>> {
  readonly members: ReadonlyArray<Member>
  readonly visibleWith: Readonly<Record<Member["Type"]["type"], Permission>>
}

/**
 * What an area says of itself; the roots of the domain put the manifests of all areas together. What a part may be is said by
 * the fold that takes it, since most of them come from areas that this one stands below.
 */
interface Manifest {
  readonly name: string
  /** The ports that a storage adapter provides of it. */
  readonly storage?: ReadonlyArray<unknown>
  readonly events?: {
    readonly members: ReadonlyArray<Schema.Top>
    readonly visibleWith: Readonly<Record<string, Permission>>
  }
  /** The permissions that its use cases ask for. Which role holds them is one table, `kernel/Permission.ts`. */
  readonly permissions?: ReadonlyArray<Permission>
  /** The features of plans that it is. Which plan has them is one table, `entitlements/Plan.ts`. */
  readonly features?: ReadonlyArray<Feature>
  /** What it has done in the background. */
  readonly works?: ReadonlyArray<unknown>
  /** The kinds of jobs that it does. */
  readonly jobs?: ReadonlyArray<unknown>
  /** What it does about events. */
  readonly reactions?: ReadonlyArray<unknown>
  /** What it gives members to look after. */
  readonly assignments?: ReadonlyArray<unknown>
  /** When it wants no conversation handed out by itself. */
  readonly assignmentHolds?: ReadonlyArray<unknown>
  /** What providers deliver to it. */
  readonly deliverySources?: ReadonlyArray<unknown>
  /** What it sends over chat accounts beside messages of conversations. */
  readonly accountSenders?: ReadonlyArray<unknown>
  /** What it knows of contacts that filters may ask for. */
  readonly contactFilterFields?: ReadonlyArray<unknown>
  /** What it sends outside of conversations, for receipts. */
  readonly outsideMessages?: ReadonlyArray<unknown>
  /** What it holds of contacts. */
  readonly contactHoldings?: ReadonlyArray<unknown>
  /** What it holds of orders. */
  readonly orderHoldings?: ReadonlyArray<unknown>
  /** How it counts what it has of what plans limit. */
  readonly limitUses?: ReadonlyArray<unknown>
  /** How it has what its events are about read, for those who receive them. */
  readonly eventResources?: ReadonlyArray<unknown>
  /** What it has that calls webhook subscriptions. */
  readonly subscriptionUses?: ReadonlyArray<unknown>
  /** What it has that asks plugins to act. */
  readonly pluginUses?: ReadonlyArray<unknown>
  /** The kinds of actors that request jobs. */
  readonly requesters?: ReadonlyArray<unknown>
  /** What it has that names schedules. */
  readonly scheduleUses?: ReadonlyArray<unknown>
  /** How it goes on with what it has asked plugins for. */
  readonly pluginCallEnds?: ReadonlyArray<unknown>
  /** Credentials that the area issues, each with its parent. */
  readonly credentials?: ReadonlyArray<unknown>
  /** Values that the area stores sealed, each with its place. */
  readonly sealedValues?: ReadonlyArray<unknown>
  /** How it has workflows begun. */
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

/** Declares an area; what it does not say of itself, it has not. */
export const defineArea = <const Said extends Manifest>(said: Said): Omit<typeof emptyManifest, keyof Said> & Said => ({
  ...emptyManifest,
  ...said
})

/** Declares who may see each of an area's events. */
export const defineEvents = <const Member extends Schema.Codec<EventShape, unknown>>(
  { members }: { readonly members: ReadonlyArray<Member> },
  visibleWith: Readonly<Record<Member["Type"]["type"], Permission>>
): AreaEvents<Member> => ({ members, visibleWith })
