import { assert, describe, it } from "@effect/vitest"
import { refusalOf } from "../scripts/release/requirements.ts"

const debian = { platform: "linux", arch: "x64" }
const archives = ["tarball", "standalone", "deb", "image"]

describe("a build of artefacts", () => {
  it("builds all of them on Linux on x64", () => {
    assert.isNull(refusalOf(["cli", "packages", ...archives, "sbom"], debian))
  })

  it.each([
    ["linux", "arm64"],
    ["darwin", "x64"],
    ["win32", "arm64"]
  ])("builds only the npm packages on %s on %s", (platform, arch) => {
    assert.isNull(refusalOf(["cli", "packages"], { platform, arch }))
    for (const name of [...archives, "sbom"]) {
      assert.include(refusalOf(["cli", name], { platform, arch }) ?? "", `this Node is for ${platform} on ${arch}`)
    }
  })

  it("builds a bill of materials together with the image only", () => {
    assert.include(refusalOf(["deb", "sbom"], debian) ?? "", "npm run dist -- image sbom")
    assert.isNull(refusalOf(["image", "sbom"], debian))
  })
})
