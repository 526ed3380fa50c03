import { eventResource, byId, type EventShape } from "../kernel/index.ts"
import { ExpandedContact } from "./ExpandedContact.ts"
import { ContactId, SegmentId, TagId } from "./Ids.ts"
import { Segment } from "./Segment.ts"
import { Tag } from "./Tag.ts"
import { getContact } from "./use-cases/getContact.ts"
import { getSegment } from "./use-cases/getSegment.ts"
import { getTag } from "./use-cases/getTag.ts"

/** Without optional relations. */
const contact = (event: EventShape): [id: ContactId] | null => byId("contactId", ContactId)(event)

/** The resources of the events of this area, as GET answers them. */
export const crmResources = [
  eventResource("contact", getContact, ExpandedContact, contact),
  eventResource("segment", getSegment, Segment, byId("segmentId", SegmentId)),
  eventResource("tag", getTag, Tag, byId("tagId", TagId))
] as const
