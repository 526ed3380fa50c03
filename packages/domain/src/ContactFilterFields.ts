import { ofAllAreas } from "./areas.ts"
import { layerContactFilterFieldsOf, operatorsWith } from "./crm/index.ts"

/** What areas know of contacts, as fields of filters. */
const contactFilterFields = ofAllAreas("contactFilterFields")

/** What other areas know of contacts, for filters of them. */
export const layerContactFilterFields = layerContactFilterFieldsOf(contactFilterFields)

/** The operators of every field of filters, as they are told to callers. */
export const contactFilterOperators = operatorsWith(contactFilterFields)

/** What filters ask areas of a contact: each storage adapter answers all of these. */
export type ContactCondition = (typeof contactFilterFields)[number]["conditions"][number]
