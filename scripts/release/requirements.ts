/** The platform and the architecture of Node. */
interface Machine {
  readonly platform: string
  readonly arch: string
}

// Packages of npm contain no programs of a machine.
const portable: ReadonlySet<string> = new Set(["cli", "packages"])

/** Reason why these artefacts cannot be built on the machine. Null: they can be built. */
export const refusalOf = (names: ReadonlyArray<string>, { arch, platform }: Machine): string | null => {
  if (names.some((name) => !portable.has(name)) && (platform !== "linux" || arch !== "x64")) {
    return `Only Linux on x64 builds the archives, and this Node is for ${platform} on ${arch}: npm run dist -- cli packages`
  }
  if (names.includes("sbom") && !names.includes("image")) {
    return "The bill of materials lists the Debian packages of the image, so build both: npm run dist -- image sbom"
  }
  return null
}
