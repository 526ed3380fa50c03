import { Context } from "effect"

/**
 * URL of the folder with the files of a bundle, such as the documentation site. It ends with a slash. Null: each package has its own files.
 */
export const Assets = Context.Reference<string | null>("@parley/domain/kernel/Assets", { defaultValue: () => null })
