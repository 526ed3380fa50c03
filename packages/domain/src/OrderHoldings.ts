import { ofAllAreas } from "./areas.ts"
import { layerOrderHoldingsOf } from "./commerce/index.ts"

/** What areas hold of orders. */
export const layerOrderHoldings = layerOrderHoldingsOf(ofAllAreas("orderHoldings"))
