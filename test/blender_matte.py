"""Decodes a name's matte in an EXR file by the compositor of Blender, which writes it as FOLDER/matte0001.exr.

usage: blender -b --python-exit-code 1 --python blender_matte.py -- FILE.exr LAYER NAME FOLDER
"""
import os
import sys

import bpy

path, layer, name, folder = sys.argv[-4:]
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.use_nodes = True
nodes, links = scene.node_tree.nodes, scene.node_tree.links
nodes.clear()
matte = nodes.new("CompositorNodeCryptomatteV2")
matte.source = "IMAGE"
matte.image = bpy.data.images.load(os.path.abspath(path))
scene.render.resolution_x, scene.render.resolution_y = matte.image.size
scene.render.resolution_percentage = 100
matte.layer_name, matte.matte_id = layer, name
file = nodes.new("CompositorNodeOutputFile")
file.base_path = os.path.abspath(folder)
file.format.file_format, file.format.color_mode, file.format.color_depth = "OPEN_EXR", "RGB", "32"
file.file_slots[0].path = "matte"
links.new(matte.outputs["Matte"], file.inputs[0])
links.new(matte.outputs["Matte"], nodes.new("CompositorNodeComposite").inputs[0])
bpy.ops.render.render()
