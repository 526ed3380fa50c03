import { ofAllAreas } from "./areas.ts"
import { layerOrderHoldingsOf } from "./stores/index.ts"

/** What areas hold of orders. */
export const layerOrderHoldings = layerOrderHoldingsOf(ofAllAreas("orderHoldings"))
