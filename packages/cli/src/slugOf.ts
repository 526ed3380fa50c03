import { Slug } from "@parley/domain"
import { Schema } from "effect"

/** The slug that a name suggests, when it has enough letters for one. */
export const slugOf = (name: string) =>
  Schema.decodeOption(Slug)(
    name
      .normalize("NFKD")
      .replace(/\p{Mn}+/gu, "")
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .slice(0, 63)
      .replace(/^-+|-+$/g, "")
  )
