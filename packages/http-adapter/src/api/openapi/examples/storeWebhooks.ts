import { receiveStoreDelivery } from "@parley/domain"
import { Stream } from "effect"
import type { StoreWebhooksApi } from "../../storeWebhooks.ts"
import type { ExamplesOf } from "./Example.ts"

const receive = { runs: receiveStoreDelivery, request: Stream.empty }

export const storeWebhooks: ExamplesOf<typeof StoreWebhooksApi> = {
  receive,
  receiveAnywhere: receive,
  receiveUnderPrefix: receive,
  receiveAnywhereUnderPrefix: receive
}
