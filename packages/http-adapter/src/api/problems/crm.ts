import * as Crm from "@parley/domain/crm"
import { problem } from "../problem.ts"

export const ContactExists = problem(Crm.ContactExists, 409, "Another contact already has this identity")
export const NameTaken = problem(Crm.NameTaken, 409, "The name is already in use")
export const SegmentInUse = problem(Crm.SegmentInUse, 409, "The segment is in use")
export const ContactOptedOut = problem(Crm.ContactOptedOut, 409, "The contact has opted out")
export const MergeUndone = problem(Crm.MergeUndone, 409, "The merge was already undone")

export const crmProblems = {
  ContactExists,
  NameTaken,
  SegmentInUse,
  ContactOptedOut,
  MergeUndone
}
