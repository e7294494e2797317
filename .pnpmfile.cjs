// The reference page is served from one file, in which everything is bundled.
const BUNDLED = ['@scalar/api-reference'];

module.exports = {
  hooks: {
    readPackage: (manifest) => (BUNDLED.includes(manifest.name) ? { ...manifest, dependencies: {} } : manifest),
  },
};
