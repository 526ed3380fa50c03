import { ofAllAreas } from "./areas.ts"
import { exportContactOf, layerContactHoldingsOf, readTimelineOf } from "./crm/index.ts"

/** What areas hold of contacts. */
const contactHoldings = ofAllAreas("contactHoldings")

/** What other areas hold of contacts, for what crm does with those. */
export const layerContactHoldings = layerContactHoldingsOf(contactHoldings)

/** Reads what happened with a contact, in all areas. */
export const readTimeline = readTimelineOf(contactHoldings)

/** Reads everything that is known of one person, in all areas. */
export const exportContact = exportContactOf(contactHoldings)
