import { defineConfig } from "vite";

// One script and one style sheet, under fixed names, straight into the Python package that serves them.
export default defineConfig({
  base: "./",
  publicDir: false,
  resolve: { alias: { "react-dom": "preact/compat", react: "preact/compat" } },
  build: {
    outDir: "../src/contextc/surfaces/page/built",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    license: { fileName: "licenses.md" },
    rollupOptions: {
      output: {
        entryFileNames: "page.js",
        assetFileNames: "page[extname]",
        codeSplitting: false,
      },
    },
  },
});
