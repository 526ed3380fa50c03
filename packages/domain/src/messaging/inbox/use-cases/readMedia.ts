import { useCase } from "../../../kernel/index.ts"
import { openMedia } from "../openMedia.ts"

/** Reads a file: what it is, and its bytes. It is no part of a unit of work: call it outside of one. */
export const readMedia = useCase("media.read", { access: { permission: "conversations.read" } }, openMedia)
