import type {
  RequestParameters,
  RecordKind,
  Shop,
  StoreDeliveryRequest,
  StorePlatform,
  StoreRecords
} from "@parley/domain/commerce"
import { Context, type Effect } from "effect"

/** Counterpart of a store platform in its contract: the provider, a shop and the shop owner. */
export class StoreSide extends Context.Service<
  StoreSide,
  {
    readonly platform: StorePlatform
    /** Shop without a current authorization. It has more than two records of each kind. */
    readonly shop: Shop
    readonly agree: (authorizeUrl: string) => Effect.Effect<RequestParameters>
    readonly deny: (authorizeUrl: string) => Effect.Effect<RequestParameters>
    /** Signed parameters. A callback can contain others. */
    readonly signed: ReadonlyArray<string>
    /** What is to be made of the records of the shop. */
    readonly expected: <Kind extends RecordKind>(kind: Kind) => Effect.Effect<ReadonlyArray<StoreRecords[Kind]>>
    /** Changes a record of the kind; its id. */
    readonly change: (kind: RecordKind) => Effect.Effect<string>
    /** Takes a record of the kind away; its id. */
    readonly remove: (kind: RecordKind) => Effect.Effect<string>
    /** Makes a record of the kind unreadable and returns its id. */
    readonly corrupt: (kind: RecordKind) => Effect.Effect<string>
    /** Makes it readable again. */
    readonly repair: (kind: RecordKind, externalId: string) => Effect.Effect<void>
    /** The next refresh is done, and its answer is lost; for a platform whose answers cannot be, it fails undone. */
    readonly loseRefresh: Effect.Effect<void>
    /** The next call gets no answer. */
    readonly lostNext: Effect.Effect<void>
    /** Changes an order; returns its delivery and its id. */
    readonly delivery: Effect.Effect<{ readonly request: StoreDeliveryRequest; readonly externalId: string }>
    readonly subscribed: Effect.Effect<ReadonlyArray<string>>
  }
>()("@parley/testkit/contracts/StoreSide") {}
