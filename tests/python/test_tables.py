"""Tables, reports and number formats, without a simulation."""

import math
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import tensix_vp
from tensix_vp import table

REPORT = {
    "schema": 1,
    "workload": "any",
    "system": "pair",
    "status": "wrong result",
    "exit_code": 1,
    "reason": "page 3 differs\nmore",
    "passed": False,
    "error": {"max_abs": "inf", "max_rel": 0.5, "bound": 0.25},
    "simulated_ps": 2500,
    "simulated_ns": 2.5,
    "metrics": {"load": {"value": "nan", "unit": "%"}, "pages": {"value": 7, "unit": ""}},
    "phases": [{"name": "all", "begin_ns": 0.5, "end_ns": 2.0}],
    "timeline": [{"row": "a", "name": "x", "begin_ns": 0.0, "end_ns": 1.0, "group": "g"}],
    "heatmaps": [
        {"name": "m", "unit": "%", "rows": 2, "columns": ["l", "r"], "values": [[1, None], [3, 4]]}
    ],
    "curves": [
        {
            "name": "c",
            "x_label": "load",
            "y_label": "cycles",
            "y_scale": "log",
            "series": [{"name": "XY", "x": [0.5, 1], "y": [2.5, None]}],
        }
    ],
    "warnings": ["w"],
}


def plain(values):
    """Nested lists without numpy, and NaN as None."""
    if hasattr(values, "tolist"):
        values = values.tolist()
    if isinstance(values, (list, tuple)):
        return [plain(value) for value in values]
    return None if isinstance(values, float) and math.isnan(values) else values


class Reports(unittest.TestCase):
    def test_heat_maps_and_curves_are_arrays(self):
        report = tensix_vp.Report(REPORT)
        heat = report.heatmaps["m"]
        self.assertEqual((heat.rows, heat.columns, heat.unit), (["0", "1"], ["l", "r"], "%"))
        self.assertEqual(plain(heat.values), [[1, None], [3, 4]])
        curve = report.curves["c"]
        self.assertEqual((curve.x_scale, curve.y_scale), ("linear", "log"))
        self.assertEqual(plain(curve.series["XY"]), [[0.5, 1], [2.5, None]])

    def test_figures_that_json_lacks(self):
        report = tensix_vp.Report(REPORT)
        self.assertEqual(report.error["max_abs"], math.inf)
        self.assertTrue(math.isnan(report.metrics["load"].value))
        self.assertEqual(report.metrics["pages"], (7, ""))
        self.assertEqual(report.phases["duration_ns"][0], 1.5)
        self.assertEqual(report.timeline.rows()[0]["group"], "g")

    def test_a_saved_report_reads_back(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "r.json"
            tensix_vp.Report(REPORT).save(file)
            self.assertEqual(tensix_vp.Report.read(file).raw, REPORT)

    def test_other_files_are_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "r.json"
            for text, expected in (
                ("{", "expected a report.json"),
                ('{"schema": 9}', "schema 9: expected 1"),
                ("[]", "schema list: expected 1"),
            ):
                file.write_text(text)
                with self.assertRaisesRegex(tensix_vp.UsageError, expected):
                    tensix_vp.Report.read(file)
            with self.assertRaisesRegex(tensix_vp.UsageError, "No such file.*report.json"):
                tensix_vp.Report.read(Path(folder) / "none")

    def test_compare_shows_what_one_lacks(self):
        other = {**REPORT, "metrics": {"pages": {"value": 9, "unit": ""}}}
        rows = tensix_vp.compare(tensix_vp.Report(REPORT), tensix_vp.Report(other))
        (pages,) = rows.where(name="pages").rows()
        self.assertEqual((pages["a"], pages["b"], pages["difference"]), (7, 9, 2))
        (load,) = rows.where(name="load").rows()
        self.assertEqual((load["b"], load["difference"]), (None, None))


class Tables(unittest.TestCase):
    def test_rows_may_lack_columns(self):
        made = tensix_vp.Table.of_rows([{"a": 1}, {"b": "x", "a": 2}])
        self.assertEqual(made.columns, ["a", "b"])
        self.assertEqual(made.count, 2)
        self.assertEqual(plain(made["a"]), [1, 2])
        self.assertEqual(made["b"], [None, "x"])
        self.assertEqual(made.where(b="x").rows(), [{"a": 2, "b": "x"}])
        self.assertIn("None", repr(made))

    def test_mistakes_are_named(self):
        made = tensix_vp.Table({"a": [1], "b": [2]})
        with self.assertRaisesRegex(KeyError, "no column 'c': expected one of a, b"):
            made["c"]
        with self.assertRaisesRegex(KeyError, "no column 'c'"):
            made.where(c=1)
        with self.assertRaisesRegex(ValueError, r"different lengths: \[1, 2\]"):
            tensix_vp.Table({"a": [1], "b": [1, 2]})

    def test_long_tables_are_shortened(self):
        self.assertTrue(repr(tensix_vp.Table({"a": range(50)})).endswith("… 50 rows"))

    def test_numbers_become_arrays_where_numpy_is(self):
        made = tensix_vp.Table(
            {"n": [1, 2.5], "hole": [1, None], "text": ["a", "b"], "flag": [True, False]}
        )
        numpy = mock.Mock()
        numpy.array.side_effect = lambda values, **kinds: ("array", list(values), kinds)
        with mock.patch.object(table, "_numpy", numpy):
            self.assertEqual(made["n"], ("array", [1, 2.5], {}))
            self.assertEqual(made["hole"], ("array", [1, None], {"dtype": float}))
            self.assertEqual(made["text"], ["a", "b"])
            self.assertEqual(made["flag"], [True, False])
        with mock.patch.object(table, "_numpy", None):
            self.assertEqual(made["n"], [1, 2.5])

    def test_pandas_gets_the_columns(self):
        pandas = mock.Mock()
        with mock.patch.dict(sys.modules, {"pandas": pandas}):
            frame = tensix_vp.Table({"a": [1, None]}).to_pandas()
        self.assertIs(frame, pandas.DataFrame.return_value)
        pandas.DataFrame.assert_called_once_with({"a": [1, None]})


class Numbers(unittest.TestCase):
    def test_bfloat16_rounds_to_even(self):
        for value, bits in (
            (1.0, 0x3F80),
            (-2.5, 0xC020),
            (1 + 2**-8, 0x3F80),
            (1 + 3 * 2**-8, 0x3F82),
            (1 + 2**-8 + 2**-20, 0x3F81),
            (math.inf, 0x7F80),
            (-1e300, 0xFF80),
            (math.nan, 0x7FC0),
        ):
            self.assertEqual(tensix_vp.bfloat16_bytes([value]), bits.to_bytes(2, "little"), value)

    def test_bfloat16_values_read_back(self):
        values = [0.0, 1.5, -3.25, 2.0**100]
        self.assertEqual(list(tensix_vp.bfloat16_values(tensix_vp.bfloat16_bytes(values))), values)


if __name__ == "__main__":
    unittest.main()
