import { OrganizationDirectory } from "@parley/domain"
import { Effect } from "effect"

/** Answers when the database does. */
export const askStorage = Effect.flatMap(OrganizationDirectory, (directory) =>
  directory.list({ limit: 1, after: null })
)
